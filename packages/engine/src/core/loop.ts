import { standardError } from './error.ts'
import type { Json } from './json.ts'
import type { ForBody } from './node.ts'
import type { Walk } from './request.ts'
import { decide, type Scope } from './scope.ts'
import { type BodyResult, inside, type Walker } from './walker.ts'

/**
 * Runs the tasks of `for` once for each item, each iteration fed by the output of the one before.
 * `while` is asked before each iteration, on its input; `then: exit` inside ends the loop.
 */
export function* runFor(walker: Walker, body: ForBody, scope: Scope, position: string): Walk<BodyResult> {
  const items = body.in(scope.input, scope)
  if (!Array.isArray(items)) throw standardError('expression', `"for.in" must give an array, not ${typeName(items)}`)
  let output = scope.input
  for (let index = 0; index < items.length; index++) {
    const item: Json = items[index] ?? null
    const each = { name: body.each, value: item, outer: scope.place.locals }
    const locals = { name: body.at, value: index, outer: each }
    const place = inside(scope, `${position}[${index}]/do`, locals)
    if (body.while !== undefined) {
      const goesOn = body.while(output, { ...scope, place })
      decide(place.strand, 'w', goesOn ? 1 : 0)
      if (!goesOn) break
    }
    const result = yield* walker.sequence(body.tasks, output, place)
    output = result.output
    if (result.exited) break
  }
  return { output }
}

function typeName(value: Json): string {
  return value === null ? 'null' : typeof value
}
