import type { HttpPort } from '@millrace/engine'
import type { Family } from '#definitions/family.ts'
import { tasksIn } from '#definitions/tasks-in.ts'

/** Every address there is; those of cloud metadata services are opened only by naming them. */
const everywhere = ['0.0.0.0/0', '::/0']

/**
 * The way of a local run to the outside. Unlike on a server private addresses are open unless denied: the machine is the user's own.
 * Loaded only for workflows that call something, and before they start, so that no call has to wait for it. Never closed: workflows that
 * are not awaited may go on after the output, and a connection that nobody uses does not keep the process from ending.
 */
export async function openNetwork({ members }: Family, denyPrivateNetwork: boolean): Promise<HttpPort> {
  if (!members.some(({ workflow }) => tasksIn(workflow).some(({ body }) => body.kind === 'call'))) return none
  const { createGuardedFetch } = await import('@millrace/server/net')
  return createGuardedFetch({ allow: denyPrivateNetwork ? [] : everywhere })
}

const none: HttpPort = {
  request: () => Promise.reject(new Error('a workflow without calls made one')),
}
