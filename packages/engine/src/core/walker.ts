import type { Json } from './json.ts'
import type { Directive, Sequence, TaskNode } from './node.ts'
import type { Observer } from './observer.ts'
import type { Walk } from './request.ts'
import type { Place, Scope } from './scope.ts'

/** The result of a task body: its raw output, and a directive if the body itself decides where to go (`switch`, `catch.then`). */
export interface BodyResult {
  readonly output: Json
  readonly then?: Directive
}

/** The result of a list. `exited` is true when a task left the list early by `then: exit`. */
export interface SequenceResult {
  readonly output: Json
  readonly exited: boolean
}

/** The interpreter as task bodies use it. It is passed as a parameter to avoid import cycles between the files of the interpreter. */
export interface Walker {
  readonly observer: Observer | undefined
  sequence(sequence: Sequence, input: Json, place: Place): Walk<SequenceResult>
  task(node: TaskNode, input: Json, place: Place, position: string): Walk<TaskResult>
  /** Runs `walk` until its deadline; undefined when the deadline passes first. */
  deadline<T extends Json>(walk: (place: Place) => Walk<T>, place: Place, position: string, dueAtMs: number): Walk<T | undefined>
}

export interface TaskResult {
  readonly output: Json
  readonly then: Directive
}

/** Thrown by `then: end`: it leaves every scope up to the workflow. No `catch` catches it, since it is not an error. */
export class EndSignal {
  readonly output: Json
  constructor(output: Json) {
    this.output = output
  }
}

/** The place of tasks inside `scope`'s task. */
export function inside(scope: Scope, path: string, locals = scope.place.locals): Place {
  return { ...scope.place, path, locals }
}

/** The place of tasks that run once for each of several values: the variables for the value and its index are bound. */
export function insideIteration(scope: Scope, path: string, item: Variable<Json>, at: Variable<number>): Place {
  const place = inside(scope, path, { ...at, outer: { ...item, outer: scope.place.locals } })
  return { ...place, run: { ...place.run, iteration: [...place.run.iteration, at.value] } }
}

interface Variable<T> {
  readonly name: string
  readonly value: T
}
