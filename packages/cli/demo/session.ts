import { type Client, ClientError, createClient } from '@millrace/client'
import { groups } from '@millrace/contract'

type DemoClient = Client<typeof groups>

/** An execution as the API returns it. */
export type ExecutionDetail = Awaited<ReturnType<DemoClient['workflows']['execution']>>
export type TimelineEntry = ExecutionDetail['timeline'][number]

/** The calls of the demo to a server, through the published client. */
export interface Session {
  readonly email: string
  createWorkflow(definition: string): Promise<{ readonly id: string; readonly name: string; readonly version: number | null }>
  execute(workflowId: string, input: Readonly<Record<string, string | number>>): Promise<string>
  read(executionId: string): Promise<ExecutionDetail>
}

/** Registers an account, and works as its owner. */
export async function openSession(baseUrl: string, password: string): Promise<Session> {
  const email = 'ada@example.com'
  const { accessToken } = await createClient({ baseUrl, groups }).auth.register({
    body: { email, password, name: 'Ada', accountName: 'Demo' },
  })
  const client = createClient({ baseUrl, groups, token: accessToken, retries: 3 })
  return {
    email,
    createWorkflow: (definition) => client.workflows.create({ body: { definition } }),
    execute: async (id, input) => (await client.workflows.execute({ params: { id }, body: { input } })).id,
    read: (executionId) => client.workflows.execution({ params: { executionId }, query: { values: 'inline' } }),
  }
}

/** Whether a call failed because there is no server at the moment, and not because of what it said. */
export function isAway(error: unknown): boolean {
  return error instanceof ClientError ? error.status === 503 : error instanceof TypeError
}
