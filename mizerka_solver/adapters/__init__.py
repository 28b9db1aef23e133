"""Mizerka for training frameworks: a PettingZoo environment and an OpenSpiel game, each an extra of the package.

`mizerka_solver.adapters.pettingzoo` needs the extra `pettingzoo`, `mizerka_solver.adapters.openspiel` the extra
`openspiel`. Both drive the same table by the same numbered actions (actions.py); the rules are those of rules.py.
"""
