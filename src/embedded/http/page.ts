/** What a path answers that nobody knows, outside the API groups of the server itself: text, not a Status. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
  override readonly message = '404 page not found\n';
}
