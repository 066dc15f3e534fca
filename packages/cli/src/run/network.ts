import type { HttpPort } from '@millrace/engine'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import { tasksIn } from '#definitions/tasks-in.ts'

/** Every address there is; those of cloud metadata services are opened only by naming them. */
const everywhere = ['0.0.0.0/0', '::/0']

/** The way to the outside, which is loaded when it is first needed. */
export interface Network extends HttpPort {
  /** Loads it now for workflows that call something, so that no call has to wait for it. */
  prepare(bundle: WorkflowBundle): Promise<void>
}

/**
 * The way of a local run to the outside. Unlike on a server private addresses are open unless denied: the machine is the user's own.
 * Never closed: workflows that are not awaited may go on after the output, and a connection that nobody uses does not keep the process
 * from ending.
 */
export function createNetwork(denyPrivateNetwork: boolean): Network {
  let opened: Promise<HttpPort> | undefined
  const open = (): Promise<HttpPort> =>
    (opened ??= import('@millrace/server/net').then(({ createGuardedFetch }) =>
      createGuardedFetch({ allow: denyPrivateNetwork ? [] : everywhere }),
    ))
  return {
    request: async (request, signal) => (await open()).request(request, signal),
    async prepare(bundle) {
      if (callsOut(bundle)) await open()
    },
  }
}

/** Whether a task of it has an effect outside: a call of a service, a script, a mail. */
export function callsOut({ members }: WorkflowBundle): boolean {
  return members.some(({ workflow }) => tasksIn(workflow).some(({ body }) => body.kind === 'call'))
}
