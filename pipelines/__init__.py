"""Top floor: what is run - definitions, jobs, schedules, sensors, settings, the command line."""
