"""The explorer's page, served locally, in a single file or in a notebook: `kripke-werewolf explore`."""
