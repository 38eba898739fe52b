"""The experiments of the five documents, each repeated by one command.

A `Document` is a list of parts (trainings, tournaments, measurements) that leave CSV files behind,
and a page that is written from these files alone: every table and figure of the document beside
ours. What the documents print is in `theirs/`. Parts go on where they were: what is finished is not
done again.
"""
