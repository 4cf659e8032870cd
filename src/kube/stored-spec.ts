/** Where what an older version has no words for waits: the spec of the stored version. */
export const keptSpec = 'kilter.dev/stored-spec';

/** What stands there of a spec that is too long for annotations, in whatever form, or too deep. It can be read so, and not be written back. */
export const tooLong = 'too long';
