"""The weights of each method's runs: the usual ones, unless the user sets them, and none without a teacher."""

from wordworth.studies.distill.settings import DistillSettings
from wordworth.studies.distill.train_students import weights_of
from wordworth.training.distillation.methods import METHODS, Weights


def test_weights_are_the_users_where_given():
    settings = DistillSettings(data="a.csv", temperature=10.0, beta=500.0)
    assert weights_of(METHODS["pkd-skip"], settings) == Weights(10.0, 0.5, 500.0)
    assert weights_of(METHODS["finetune"], settings) == METHODS["finetune"].weights
    assert weights_of(METHODS["kd"], DistillSettings(data="a.csv")) == METHODS["kd"].weights
