"""The table of docs/any-network.md: six cards on each kind of network."""

from __future__ import annotations

import card_matrix


def test_the_table_of_cards_and_networks_is_as_the_page_has_it():
    assert card_matrix.measured().strip() == card_matrix.of_page().strip()
