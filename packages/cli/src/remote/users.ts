import { every } from '@millrace/client'
import type { accountUsers, Reply } from '@millrace/contract'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { columns } from './columns.ts'
import { connect } from './connect.ts'
import { explaining } from './explain.ts'

type User = Reply<typeof accountUsers.list>['data'][number]

/** Lists the users of the account. */
export async function listUsers(
  request: { readonly url: string | undefined; readonly json: boolean },
  { stdout }: Terminal,
): Promise<ExitCode> {
  const { url, client } = await connect(request.url)
  const users = await explaining(url, async () => {
    const all: User[] = []
    for await (const user of every((cursor) => client.accountUsers.list({ query: { cursor, limit: 100 } }))) all.push(user)
    return all
  })
  const rows = users.map(({ id, email, role, secondFactor, name }) => [id, email, role, secondFactor ? 'second factor' : '-', name ?? ''])
  stdout.write(request.json ? users.map((user) => `${JSON.stringify(user)}\n`).join('') : columns(rows))
  return exitCodes.ok
}
