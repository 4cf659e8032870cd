import type { HttpCluster } from '../../src/client/http-cluster.js';
import { FlightTicket } from '../../src/operators/flightticket.js';
import { BookingService, serveBookings } from '../booking/booking-service.js';
import { operatorDeployment, type RenderedManifest, serviceAccountOf } from '../cluster/dist.js';
import type { GuardedFolder } from '../cluster/guarded-folder.js';
import { type ControllerProcess, startController } from './controller-process.js';
import type { Installation } from './installation.js';
import { writeAccountKubeconfig } from './service-account.js';
import type { StoryCluster } from './story-cluster.js';
import { Witness } from './witness.js';

export const flightOperator = 'flightticket-operator';

export interface FlightOptions {
  readonly admin: HttpCluster;
  readonly cluster: StoryCluster;
  readonly installation: Installation;
  readonly rendered: readonly RenderedManifest[];
  /** The compiled entry `src/controller.ts`. */
  readonly program: string;
  readonly folder: GuardedFolder;
  readonly signal: AbortSignal;
}

/** The part of the story that happens outside the cluster: a booking service, and the operator that books there. */
export class Flight {
  readonly #service = new BookingService();
  #serving: Awaited<ReturnType<typeof serveBookings>> | undefined;
  #controller: ControllerProcess | undefined;

  constructor(private readonly options: FlightOptions) {}

  /** Resolves with the sentence that says what was seen; whoever waits for it gives up in time. */
  async book(): Promise<string> {
    const { admin, cluster, installation, rendered, program, folder, signal } = this.options;
    this.#serving = await serveBookings(this.#service);
    const deployment = operatorDeployment(rendered, flightOperator);
    const kubeconfig = folder.file(`${flightOperator}.kubeconfig`);
    await writeAccountKubeconfig(kubeconfig, admin, cluster.config, serviceAccountOf(deployment));
    const env = { BOOKING_URL: this.#serving.url };
    this.#controller = startController({ program, deployment, kubeconfig, folder, env, name: flightOperator });

    const tickets = await Witness.of(admin, FlightTicket, admin.namespace, signal);
    const samples = rendered.filter(({ manifest }) => manifest.kind === FlightTicket.kind);
    const [name = ''] = samples.map(({ manifest }) => manifest.metadata.name);
    const booked = tickets.sees(name, (ticket) => Boolean((ticket as Ticket)?.status?.bookingId));
    await installation.applyInWaves(samples, () => {});
    await Promise.race([booked, this.#controller.ended]);
    const [booking] = this.#service.booked;
    return `FlightTicket ${name} is booked as ${booking?.id}, from ${booking?.from} to ${booking?.to}, at ${this.#serving.url}/bookings`;
  }

  /** Ends what serves and what books; whatever has a booking is gone by then. */
  async end(): Promise<void> {
    await this.#controller?.stop();
    await this.#serving?.close();
  }
}

type Ticket = { readonly status?: { readonly bookingId?: string } } | undefined;
