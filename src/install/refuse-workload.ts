import { DefinitionError } from '../kube/errors.js';
import { imageReference } from '../kube/image-reference.js';
import { compareQuantities, parseQuantity } from '../kube/quantity.js';
import { decidedIn, refusalOfArgs } from './flags.js';
import { certificatesOf, type OperatorInstallProps } from './install-props.js';

const mostReplicas = 2 ** 31 - 1;

/** Throws `DefinitionError` for a workload that the API server would refuse, or that could never begin. */
export function refuseWorkload(id: string, props: OperatorInstallProps): void {
  const { image, replicas = 1, room, args = [], servicePorts = [], apiServerPorts = [] } = props;
  refuseImage(id, image);
  if (!Number.isInteger(replicas) || replicas < 0 || replicas > mostReplicas) {
    throw new DefinitionError(`the install "${id}" cannot be applied: replicas is ${JSON.stringify(replicas)}`, {
      hint: 'write a whole number: one leads, the others stand by',
    });
  }
  for (const [field, ports] of Object.entries({ servicePorts, apiServerPorts })) {
    const wrong = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
    if (wrong === undefined) continue;
    throw new DefinitionError(`the install "${id}" cannot be applied: ${field} has ${JSON.stringify(wrong)}`, {
      hint: 'write the numbers of ports, from 1 to 65535',
    });
  }
  if (room) refuseRoom(id, room);
  const refusal = refusalOfArgs(args);
  if (refusal !== undefined) {
    throw new DefinitionError(`the install "${id}" cannot run: in args, ${refusal}`, {
      hint: 'see --help of the controller, which has all its flags; what is your own goes into env',
    });
  }
  const [flag, instead] = decidedIn(args, saidBy(props)) ?? [];
  if (flag !== undefined) {
    throw new DefinitionError(`the install "${id}" cannot run: in args, ${flag} is for the install itself to say`, {
      hint: `leave it out: ${instead}`,
    });
  }
}

/** Flags that options of the install say already. */
function saidBy(props: OperatorInstallProps): Readonly<Record<string, string>> {
  const rights = 'watchNamespaces says it, and the rights follow from it';
  return {
    ...(props.watchNamespaces && { '--watch-namespaces': rights, '--namespace': rights }),
    ...(props.webhooks && { '--webhook-url': 'whoever tells the API server the authority tells it the address, too' }),
    ...Object.fromEntries(
      certificatesOf(props).map(({ of }) => [`--${of}-cert-path`, 'certificateSecret says it, and is mounted there']),
    ),
  };
}

function refuseImage(id: string, image: string | undefined): void {
  // As from a variable of the environment that is not set.
  if (typeof image !== 'string' || image === '') {
    throw new DefinitionError(`the install "${id}" has no image`, {
      hint: 'write it as registry.example.com/team/operator:1.2.3',
    });
  }
  const named = image.includes('@') || /:[^/]+$/.test(image);
  if (!named || image.endsWith(':latest')) {
    throw new DefinitionError(`the image "${image}" of the install "${id}" names no version`, {
      hint: 'give a tag that does not move, or a digest: Argo CD cannot see that "latest" is another image today',
    });
  }
  // What is put in after this, as Flux and Helm do, nobody knows here.
  if (/\$\{|\{\{/.test(image) || imageReference(image)) return;
  throw new DefinitionError(`the image "${image}" of the install "${id}" is no name of an image`, {
    hint: 'write it as registry.example.com/team/operator:1.2.3, in lower-case letters but for the tag, or with @sha256:…',
  });
}

function refuseRoom(id: string, room: NonNullable<OperatorInstallProps['room']>): void {
  // As from a variable of whose fields nobody knows.
  if ((room as Partial<typeof room>).limits?.memory === undefined) {
    throw new DefinitionError(`the install "${id}" cannot be applied: room.limits.memory is missing`, {
      hint: "write it, such as '256Mi', since the heap is fitted to it, or leave room out",
    });
  }
  const amounts = Object.entries(room).flatMap(([list, resources]) =>
    Object.entries(resources ?? {}).map(([name, amount]) => [`room.${list}.${name}`, amount] as const),
  );
  const wrong = amounts.find(([, amount]) => !isAmount(amount));
  if (wrong) {
    throw new DefinitionError(`the install "${id}" cannot be applied: ${wrong[0]} is ${JSON.stringify(wrong[1])}`, {
      hint: 'write a quantity of Kubernetes, such as 500m, 1 or 256Mi',
    });
  }
  const limits: Readonly<Record<string, string>> = { ...room.limits };
  for (const [name, request] of Object.entries(room.requests ?? {})) {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(String(request), String(limit)) <= 0) continue;
    throw new DefinitionError(
      `the install "${id}" cannot be applied: room.requests.${name} is "${request}", and the limit "${limit}"`,
      { hint: 'request at most the limit' },
    );
  }
}

function isAmount(amount: unknown): boolean {
  if (typeof amount !== 'string' && typeof amount !== 'number') return false;
  try {
    return parseQuantity(String(amount)).unscaled >= 0n;
  } catch {
    return false;
  }
}
