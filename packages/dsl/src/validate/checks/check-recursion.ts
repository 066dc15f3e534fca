import type { Json } from '#src/json.ts'
import type { Facts, Finding } from '#src/validate/facts.ts'
import { type InlineCall, inlineCalls, ownerOf } from './inline-calls.ts'
import { quoted } from '#src/validate/wording.ts'

/** Reports each call that closes a cycle of functions of the document. */
export function checkRecursion(facts: Facts, document: Json): void {
  const calls = callsByFunction(facts, document)
  const done = new Set<string>()
  for (const name of calls.keys()) facts.findings.push(...circlesFrom(name, calls, done))
}

function callsByFunction(facts: Facts, document: Json): ReadonlyMap<string, readonly InlineCall[]> {
  const calls = new Map<string, InlineCall[]>()
  for (const call of inlineCalls(facts, document)) {
    const caller = ownerOf(call.path)
    if (caller === undefined) continue
    const known = calls.get(caller) ?? []
    known.push(call)
    calls.set(caller, known)
  }
  return calls
}

interface Visit {
  readonly name: string
  readonly calls: readonly InlineCall[]
  next: number
}

/** Searches the calls of a function depth first, without recursion: a document may have a chain of thousands. */
function circlesFrom(start: string, calls: ReadonlyMap<string, readonly InlineCall[]>, done: Set<string>): Finding[] {
  const findings: Finding[] = []
  const trail: Visit[] = []
  const places = new Map<string, number>()
  const enter = (name: string) => {
    done.add(name)
    places.set(name, trail.length)
    trail.push({ name, calls: calls.get(name) ?? [], next: 0 })
  }
  if (!done.has(start)) enter(start)
  for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
    const call = visit.calls[visit.next++]
    if (call === undefined) {
      places.delete(visit.name)
      trail.pop()
      continue
    }
    const back = places.get(call.callee)
    if (back !== undefined) findings.push(recursive(call, trail, back))
    else if (!done.has(call.callee)) enter(call.callee)
  }
  return findings
}

/** A long cycle is shown by its beginning and its end. */
function recursive({ callee, path }: InlineCall, trail: readonly Visit[], back: number): Finding {
  const parts = trail.length - back > 7 ? [trail.slice(back, back + 4), [{ name: '…' }], trail.slice(-2)] : [trail.slice(back)]
  const circle = [...parts.flat().map(({ name }) => name), callee]
  const message = `The function ${quoted(callee)} calls itself: ${circle.join(' → ')}.`
  const hint = 'Write a loop (for, or then to an earlier task), or call a workflow with run: workflow.'
  return { code: 'recursive_function', path, at: 'value', message, hint }
}
