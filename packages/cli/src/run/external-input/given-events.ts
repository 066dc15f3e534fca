import { isObject, checkEvent, completeEvent, type Json, type JsonObject, WorkflowError } from '@millrace/engine/definition'
import { messageOf, usageFailure } from '#command/failure.ts'
import { readText, standardInput } from '#definitions/read-text.ts'
import { parseData } from '#run/read-input.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** The `source` of events of the command line that have none. */
const source = '/millrace/run'

/** Reads the values of `--event` and completes them: JSON, or a file (YAML or JSON), with one event or an array. */
export async function readEvents(
  values: readonly string[],
  terminal: Pick<Terminal, 'stdin' | 'now' | 'newId'>,
): Promise<readonly JsonObject[]> {
  const given = await Promise.all(values.map((value) => readValue(value, terminal.stdin)))
  return given.flatMap((event, index) => {
    const value = values[index] ?? ''
    const list = Array.isArray(event) ? event : [event]
    return list.map((one, position) => {
      const complete = eventOf(one, terminal)
      if (typeof complete !== 'string') return complete
      throw usageFailure(`--event ${value}: ${Array.isArray(event) ? `entry ${position} is not an event: ` : ''}${complete}.`, example)
    })
  })
}

const example = 'An event is an object with at least a type: --event \'{"type":"com.example.paid","data":{"order":7}}\'.'

/** A CloudEvent with its missing attributes filled in, or what is wrong with it. */
export function eventOf(value: Json, { now, newId }: Pick<Terminal, 'now' | 'newId'>): JsonObject | string {
  if (!isObject(value)) return 'an event is an object'
  try {
    checkEvent(value)
    return completeEvent(value, { id: newId(), source, time: new Date(now()).toISOString() })
  } catch (error) {
    if (error instanceof WorkflowError) return error.data.detail ?? error.data.title
    throw error
  }
}

/** Whether each of the first two lines is an object, as in a file of JSON lines. */
function isLines(text: string): boolean {
  const [first = '', second = ''] = text.trimStart().split('\n', 2)
  return [first, second].every((line) => /^\{.*\}\s*$/.test(line))
}

async function readValue(value: string, stdin: Terminal['stdin']): Promise<Json> {
  if (value === standardInput) throw usageFailure('--event does not read standard input.', 'Use --events - for events one a line.')
  if (!/^\s*[[{]/.test(value)) {
    const path = value.startsWith('@') ? value.slice(1) : value
    const text = await readText(path, stdin, 'an event')
    if (isLines(text)) throw usageFailure(`${path}: the file has one document a line.`, `Write --events - < ${path} for events one a line.`)
    return parseData(text, path)
  }
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
    return JSON.parse(value) as Json
  } catch (error) {
    throw usageFailure(`--event ${value}: this is not JSON: ${messageOf(error)}.`, example)
  }
}
