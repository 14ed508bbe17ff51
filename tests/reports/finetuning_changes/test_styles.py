from wordworth.reports.finetuning_changes.styles import RANDOM, RUN, SCRATCH, SEED, START, UNSEEN


def test_no_two_models_share_a_colour_or_a_marker():
    styles = (RANDOM, RUN, SCRATCH, SEED, START, UNSEEN)
    assert len({style.slot for style in styles}) == len({style.marker for style in styles}) == len(styles)
