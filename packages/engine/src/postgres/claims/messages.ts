import type { PoolClient } from 'pg'
import { parseJson } from '#core/json.ts'
import type { OutgoingMessage, Message } from '#durable/ports/bus.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { signalExecutions } from './signal-executions.ts'

type Client = Pick<PoolClient, 'query'>

interface MessageRow {
  id: string
  execution_id: string
  position: string
  value: string
}

/** The messages of executions that are not journalled yet, in the order of their arrival. */
export async function findMessages(client: Client, executionIds: readonly string[]): Promise<ReadonlyMap<string, readonly Message[]>> {
  // Ordered by the numeric column, not by the selected text, in which 10 precedes 9.
  const { rows } = await client.query<MessageRow>({
    name: 'messages-of',
    text: `select id::text, execution_id, position, value from messages where execution_id = any($1::uuid[]) order by messages.id`,
    values: [executionIds],
  })
  const grouped = Map.groupBy(rows, (row) => row.execution_id)
  return new Map([...grouped].map(([id, all]) => [id, all.map(toMessage)]))
}

function toMessage({ id, position, value }: MessageRow): Message {
  return { id, position, value: parseJson(value) }
}

/**
 * Sends a message to a wait, in the transaction of the caller; the wait takes one message and ends.
 * @param by the process that sends it.
 * @returns false when there is no such wait, or it has received its message already.
 */
export async function deliverMessage(
  client: Client,
  jobs: JobSender,
  { accountId, executionId, position, topic, value }: OutgoingMessage,
  by: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with wait as (delete from waits where account_id = $1 and execution_id = $2 and position = $3 and topic = $4 returning account_id, execution_id, position)
     insert into messages (account_id, execution_id, position, value) select account_id, execution_id, position, $5::json from wait`,
    [accountId, executionId, position, topic, JSON.stringify(value)],
  )
  if (rowCount !== 1) return false
  const waking = await signalExecutions(client, { wake: [executionId], cancel: [], signalledBy: by })
  if (waking.length > 0) await jobs.send(client, waking)
  return true
}
