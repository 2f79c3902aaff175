<?php

declare(strict_types=1);

// A notice, warning or deprecation of the client or its tests fails; PHPUnit would let a deprecation pass.
error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    return str_starts_with($file, dirname(__DIR__)) ? throw new ErrorException($message, 0, $level, $file, $line) : true;
});

require __DIR__ . '/../Kredo.php';
