/** Of a warning to whoever wrote a request; servers know no other: https://kubernetes.io/blog/2020/09/03/warnings/ */
const miscellaneous = '299';

/** Code, who warns, the text in quotes. A date may follow. */
const warning = /\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g;

/**
 * What a server warns of beside its answer, in its own words: a deprecated version, Pods that a namespace will refuse, what a
 * webhook or a policy advises against. `header` is `Warning` as it came, once or several times. What cannot be read is left out.
 *
 * https://www.rfc-editor.org/rfc/rfc7234#section-5.5
 */
export function warningsIn(header: unknown): readonly string[] {
  const lines = Array.isArray(header) ? header : [header];
  return lines.flatMap((line: unknown) =>
    typeof line !== 'string'
      ? []
      : [...line.matchAll(warning)].flatMap(([, code, text = '']) =>
          code === miscellaneous && text !== '' ? [text.replaceAll(/\\(.)/g, '$1')] : [],
        ),
  );
}
