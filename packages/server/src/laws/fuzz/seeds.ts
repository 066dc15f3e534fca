import { connections, executions, marketplace, triggers, workflows } from '@millrace/contract'
import { consenting } from '#laws/areas/connections.ts'
import { call, textAt } from '#laws/calls.ts'
import { greetingWorkflow, sleepingWorkflow } from '#laws/two-accounts.ts'

/** Valid texts for parameters and members, by operation and name. */
type Texts = Readonly<Record<string, string>>

/** Resources in the states that single operations demand: a suspended execution, an entry of another account in the marketplace, a schedule. */
export async function createSeeds(url: string, owner: string, other: string): Promise<Texts> {
  const sleeping = named(sleepingWorkflow, 'seed-sleeping')
  const workflowId = textAt((await call(url, workflows.create, { token: owner, body: { definition: sleeping } })).body, 'id')
  const entry = await publishEntry(url, other)
  return {
    ...(await startExecutions(url, owner, workflowId)),
    'triggers.toggleSchedule.id': await createSchedule(url, owner, workflowId),
    'connections.authorize.id': await createConsentingConnection(url, owner),
    'functions.get.name': 'law-document.read',
    ...Object.fromEntries(['get', 'import', 'rate', 'report', 'moderate'].map((act) => [`marketplace.${act}.id`, entry])),
  }
}

function named<T extends { readonly document: object }>(definition: T, name: string) {
  return { ...definition, document: { ...definition.document, name } }
}

async function startExecutions(url: string, token: string, id: string): Promise<Texts> {
  const start = async () => textAt((await call(url, executions.start, { token, params: { id }, body: {} })).body, 'id')
  const [suspended, cancelled, running] = [await start(), await start(), await start()]
  const headers = { prefer: 'wait=10' }
  await call(url, executions.suspend, { token, params: { executionId: suspended }, headers })
  await call(url, executions.cancel, { token, params: { executionId: cancelled }, headers })
  return {
    'executions.resume.executionId': suspended,
    'executions.retry.executionId': cancelled,
    'executions.suspend.executionId': running,
  }
}

async function createSchedule(url: string, token: string, workflowId: string): Promise<string> {
  const body = { workflowId, name: 'seed', schedule: { cron: '0 0 1 1 *', timeZone: 'Europe/Berlin' } }
  return textAt((await call(url, triggers.createSchedule, { token, body })).body, 'id')
}

async function createConsentingConnection(url: string, token: string): Promise<string> {
  const body = { name: 'seed-consent', settings: consenting, secrets: { clientSecret: 'a client of the laws' } }
  return textAt((await call(url, connections.create, { token, body })).body, 'id')
}

async function publishEntry(url: string, token: string): Promise<string> {
  const definition = named(greetingWorkflow, 'seed-published')
  const id = textAt((await call(url, workflows.create, { token, body: { definition } })).body, 'id')
  const body = { summary: 'Greets by name.', author: 'The laws', category: 'data', licence: 'MIT' }
  return textAt((await call(url, marketplace.publish, { token, params: { id }, body })).body, 'id')
}
