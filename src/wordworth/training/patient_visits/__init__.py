"""Training of encoders of visits: pretraining on sets of codes, and recommending what a visit gets."""
