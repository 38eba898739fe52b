"""What everything stands on: errors, specs, whole files, processes, plug-ins and extras."""
