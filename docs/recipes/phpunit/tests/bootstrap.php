<?php

// With Composer, use vendor/autoload.php and "autoload": {"psr-4": {"Shop\\": "src/"}} instead.
require __DIR__ . '/../src/TopUps.php';
require __DIR__ . '/Kredo.php';
