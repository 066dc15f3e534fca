import type { HttpPort } from '@millrace/engine'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import { tasksIn } from '#definitions/tasks-in.ts'

/** All addresses; those of cloud metadata services must be named to be allowed. */
const everywhere = ['0.0.0.0/0', '::/0']

/** The HTTP client of a run, loaded at its first use. */
export interface Network extends HttpPort {
  /** Loads it now for workflows with calls, so that no call waits for it. */
  prepare(bundle: WorkflowBundle): Promise<void>
}

/**
 * The HTTP client of a local run. Unlike on a server, private addresses are allowed unless denied: the machine is the user's own.
 * It is never closed: workflows that are not awaited may continue after the output, and an idle connection does not keep the process alive.
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

/** Whether a task of the bundle has an effect: a call of a service, a script, a mail. */
export function callsOut({ members }: WorkflowBundle): boolean {
  return members.some(({ workflow }) => tasksIn(workflow).some(({ body }) => body.kind === 'call'))
}
