/** Thrown to end the transaction, so that no transaction is open while the version is checked. */
export class CheckRequired extends Error {
  override readonly name = 'CheckRequired';
}
