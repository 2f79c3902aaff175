<?php

// Runs api.php with only the components in Debian's packages php-laravel-framework and php-guzzlehttp-guzzle. A Laravel project does not need this file.
// php -S localhost:3000 server.php

use Illuminate\Cache\CacheManager;
use Illuminate\Config\Repository;
use Illuminate\Container\Container;
use Illuminate\Contracts\Routing\ResponseFactory as Responses;
use Illuminate\Contracts\View\Factory as Views;
use Illuminate\Events\Dispatcher;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Http\Client\Factory;
use Illuminate\Http\Request;
use Illuminate\Routing\Redirector;
use Illuminate\Routing\ResponseFactory;
use Illuminate\Routing\Router;
use Illuminate\Routing\UrlGenerator;
use Illuminate\Support\Facades\Facade;
use Illuminate\View\Engines\EngineResolver;
use Illuminate\View\Factory as ViewFactory;
use Illuminate\View\FileViewFinder;
use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;

error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Illuminate/autoload.php';
require '/usr/share/php/GuzzleHttp/autoload.php';

$app = new Container();
Container::setInstance($app);
Facade::setFacadeApplication($app);
$events = new Dispatcher($app);
$files = new Filesystem();
$request = Request::capture();
$router = new Router($events, $app);
$app->instance('request', $request);
$app->instance(Request::class, $request);
$app->instance('router', $router);
$app->instance('files', $files);
$app->instance('config', new Repository([
    'cache' => ['default' => 'file', 'stores' => ['file' => ['driver' => 'file', 'path' => __DIR__ . '/cache']], 'prefix' => 'shop'],
]));
$app->instance('cache', new CacheManager($app));
$app->instance(Factory::class, new Factory($events));
$views = new ViewFactory(new EngineResolver(), new FileViewFinder($files, []), $events);
$redirector = new Redirector(new UrlGenerator($router->getRoutes(), $request));
$app->instance(Responses::class, new ResponseFactory($views, $redirector));

require __DIR__ . '/api.php';
try {
    $router->dispatch($request)->send();
} catch (NotFoundHttpException) {
    http_response_code(404);
}
