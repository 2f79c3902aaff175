<?php

// With Composer this is vendor/autoload.php, by "autoload": {"psr-4": {"Shop\\": "src/"}}.
require __DIR__ . '/../src/TopUps.php';
require __DIR__ . '/Kredo.php';
