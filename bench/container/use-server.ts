import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'

/** Registers with the code of the log, runs a workflow, and opens the page of the UI. */
export async function useServer(baseUrl: string, log: () => string): Promise<void> {
  const operatorCode = /mlr-operator-\w+/.exec(log())?.[0]
  if (operatorCode === undefined) throw new Error('The log shows no one-time code of the operator.')
  const password = crypto.randomUUID()
  const { accessToken } = await createClient({ baseUrl, groups }).auth.register({
    body: { email: 'ada@example.com', password, name: 'Ada', accountName: 'Container', operatorCode },
  })
  const client = createClient({ baseUrl, groups, token: accessToken })
  const definition = {
    document: { dsl: '1.0.3', namespace: 'default', name: 'try-out', version: '1.0.0' },
    do: [{ add: { set: { sum: '${ .a + .b }' } } }],
  }
  const { id } = await client.workflows.create({ body: { definition } })
  const started = await client.workflows.execute({ params: { id }, body: { input: { a: 2, b: 3 } } })
  const output = await outcomeOf(() => client.workflows.execution({ params: { executionId: started.id }, query: { values: 'inline' } }))
  if (JSON.stringify(output) !== '{"sum":5}') throw new Error(`The workflow returned ${JSON.stringify(output)}.`)
  const page = await fetch(baseUrl, { headers: { accept: 'text/html' } })
  const html = await page.text()
  const script = /src="([^"]+\.js)"/.exec(html)?.[1]
  if (!page.ok || script === undefined) throw new Error(`The UI is not served: ${page.status}`)
  const { status } = await fetch(new URL(script, baseUrl))
  if (status !== 200) throw new Error(`The script of the UI answers ${status}.`)
}

async function outcomeOf(read: () => Promise<{ readonly state: string; readonly output?: unknown }>): Promise<unknown> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const { state, output } = await read()
    if (state === 'completed') return output
    if (performance.now() > deadline) throw new Error(`The execution is still ${state}.`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
