"""The models of responses. The workers write the responses; the models only document them."""
