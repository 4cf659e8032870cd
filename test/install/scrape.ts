import { request } from 'node:https';

export interface Scraped {
  readonly code: number | undefined;
  readonly text: string;
  readonly type: string | undefined;
  /** How the server asks for a token. */
  readonly challenge: string | undefined;
}

/** Asks for metrics as Prometheus does; without `ca` whoever answers is believed. */
export function scrape(url: string, token?: string, ca?: string): Promise<Scraped> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...trust, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { 'content-type': type, 'www-authenticate': challenge } = response.headers;
        resolve({ code: response.statusCode, text, type, challenge });
      });
    });
    asked.on('error', reject).end();
  });
}
