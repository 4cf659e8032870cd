/**
 * Renders everything that we ship into the output directory: an install for each operator, and samples.
 *
 * `cdk8s synth` and `npm run synth` both run this. `CDK8S_OUTDIR` says where to (`dist`), `KILTER_IMAGE` which image the
 * installs run (`kilter:<version>`), `BOOKING_URL` where the booking service of flight tickets is.
 */
import { App, Chart } from 'cdk8s';
import { synth } from './gitops/index.js';
import { OperatorInstall, type OperatorInstallProps } from './install/index.js';
import { DefinitionError } from './kube/errors.js';
import { isHttpUrl } from './kube/url-port.js';
import { operators } from './operators/all.js';
import { addSamples } from './operators/samples.js';

const image = process.env['KILTER_IMAGE'] ?? 'kilter:0.1.0';

const bookingUrl = process.env['BOOKING_URL'] ?? 'http://booking.booking.svc:8080';

/** What some operators need beyond the usual. */
const ofTheirOwn: Readonly<Record<string, Pick<OperatorInstallProps, 'env'>>> = {
  flightticket: { env: { BOOKING_URL: urlOf('BOOKING_URL', bookingUrl) } },
};

const app = new App();

// Each operator in an install of its own, because the rights of an install are the sum of what its operators need.
for (const operator of operators) {
  new OperatorInstall(app, `${operator.name}-operator`, { operators: [operator], image, ...ofTheirOwn[operator.name] });
}

// Without a namespace: whoever applies them, kubectl or an Application, says where.
addSamples(new Chart(app, 'samples', { disableResourceNameHashes: true }));

synth(app);

/** `url`, whose port the NetworkPolicy of an install lets through. */
function urlOf(setting: string, url: string): string {
  if (!isHttpUrl(url)) {
    throw new DefinitionError(`${setting} "${url}" is no URL of HTTP`, {
      hint: 'give one such as http://booking:8080',
    });
  }
  return url;
}
