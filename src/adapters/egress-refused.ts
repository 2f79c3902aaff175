/** Why a connection was never begun. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
}
