import { SimpleFaker } from "@faker-js/faker";

/** One of our own that knows no locale, as all names are our own: the build leaves every locale out of the bundle, and most of faker. */
export function createFaker(): SimpleFaker {
  return new SimpleFaker();
}
