"""Training of encoders of patient visits: pretraining on sets of codes, and recommending codes, such as drugs."""
