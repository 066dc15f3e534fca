import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A script of this folder in its own process, which handles one request at a time. */
export interface Helper<Questions> {
  ask<Name extends keyof Questions & string>(name: Name, question: QuestionOf<Questions, Name>): Promise<AnswerOf<Questions, Name>>
  stop(): Promise<void>
}

type Handler = (question: never) => unknown
type QuestionOf<Questions, Name extends keyof Questions> = Questions[Name] extends (question: infer Question) => unknown ? Question : never
type AnswerOf<Questions, Name extends keyof Questions> = Questions[Name] extends Handler ? Awaited<ReturnType<Questions[Name]>> : never

interface Answer {
  readonly id: number
  readonly answer?: unknown
  readonly error?: string
}

/** @param niceness as of `nice`: real attackers use other machines, so they must not take the server's cores */
export function startHelper<Questions>(script: string, niceness = 0): Helper<Questions> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  if (niceness > 0) setPriority(child.pid ?? 0, niceness)
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  child.on('message', (message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `serveHelper` of the same revision.
    const { id, answer, error } = message as Answer
    if (error === undefined) asked.get(id)?.resolve(answer)
    else asked.get(id)?.reject(new Error(`${script}: ${error}`))
    asked.delete(id)
  })
  child.once('exit', () => {
    for (const { reject } of asked.values()) reject(new Error(`${script} ended`))
  })
  return {
    ask: (name, question) => {
      const waiting = Promise.withResolvers<unknown>()
      const id = ids++
      asked.set(id, waiting)
      child.send({ id, name, question })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The other side has the handlers of this type.
      return waiting.promise as Promise<AnswerOf<Questions, typeof name>>
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Handles the requests of the parent process. Ends with the parent. */
export function serveHelper(handlers: Readonly<Record<string, Handler>>): void {
  process.once('disconnect', () => process.exit(0))
  process.on('message', (message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `ask` of the same revision.
    const { id, name, question } = message as { readonly id: number; readonly name: string; readonly question: never }
    const send = (answer: Omit<Answer, 'id'>) => process.send?.({ id, ...answer })
    void (async () => await handlers[name]?.(question))().then(
      (answer) => send({ answer }),
      (error: unknown) => send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}
