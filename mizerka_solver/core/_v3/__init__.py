"""The compiled core built for x86-64-v3 (BMI2, AVX2, POPCNT); see `mizerka_solver.core` for the choice."""
