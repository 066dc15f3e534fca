import { JqError } from '#src/errors.ts'
import type { Ir } from '#src/lower/ir.ts'
import { cannotIterate, index, slice } from '#src/paths/access.ts'
import { excerpt, raise } from '#src/values/describe.ts'
import { keysOf } from '#src/values/keys.ts'
import { isArray, isObject, orNull, truthy, type Value } from '#src/values/value.ts'
import { bindPaths } from './bind.ts'
import { nativePaths } from './call-native.ts'
import { callPaths, parameterPaths } from './call.ts'
import type { Break, Compiler, EmitAt, Paths } from './code.ts'
import { foreachPaths, reducePaths } from './loops.ts'
import { round } from './machine.ts'
import { checkIterable, lose, loseForGood, stepInto } from './track.ts'

/** Compiles a node as a path expression. What computes a new value loses the path; only using it then is an error. */
export function compilePaths(compiler: Compiler, ir: Ir): Paths {
  switch (ir.kind) {
    case 'identity':
      return (track, input, _env, emit) => emit(track, input)
    case 'constant': {
      const { value } = ir
      const forgivable = value === null || typeof value === 'boolean'
      return (track, input, _env, emit) => emit(forgivable ? lose(track, input) : loseForGood(track), value)
    }
    case 'index':
      return indexPaths(compiler, ir)
    case 'slice':
      return slicePaths(compiler, ir)
    case 'iterate':
      return iteratePaths(compiler, ir)
    case 'try':
      return tryPaths(compiler, ir)
    case 'pipe': {
      const left = compiler.paths(ir.left)
      const right = compiler.paths(ir.right)
      return (track, input, env, emit) => left(track, input, env, (at, value) => right(at, value, env, emit))
    }
    case 'comma': {
      const items = ir.items.map(compiler.paths)
      return (track, input, env, emit) => {
        for (const item of items) if (item(track, input, env, emit)) return true
        return false
      }
    }
    case 'alternative':
      return alternativePaths(compiler, ir)
    case 'logic':
      return logicPaths(compiler, ir)
    case 'if': {
      const yes = compiler.paths(ir.yes)
      const no = compiler.paths(ir.no)
      if (ir.condition.count === 'maybe') {
        const decide = compiler.one(ir.condition)
        return (track, input, env, emit) => {
          const decision = decide(input, env)
          return decision === undefined ? false : (truthy(decision) ? yes : no)(track, input, env, emit)
        }
      }
      const condition = compiler.many(ir.condition)
      return (track, input, env, emit) => condition(input, env, (decision) => (truthy(decision) ? yes : no)(track, input, env, emit))
    }
    default:
      return referencePaths(compiler, ir)
  }
}

function referencePaths(compiler: Compiler, ir: Ir): Paths {
  switch (ir.kind) {
    case 'reduce':
      return reducePaths(compiler, ir)
    case 'foreach':
      return foreachPaths(compiler, ir)
    case 'bind':
      return bindPaths(compiler, ir)
    case 'label':
      return labelPaths(compiler, ir)
    case 'parameter':
      return parameterPaths(ir.up)
    case 'call':
      return callPaths(compiler, ir)
    case 'native':
      return nativePaths(compiler, ir)
    case 'modify':
      return modifyPaths(compiler, ir)
    default: {
      const many = compiler.many(ir)
      const forgivable = forgives(ir)
      return (track, input, env, emit) => many(input, env, (value) => emit((forgivable(value) ? lose : loseForGood)(track, input), value))
    }
  }
}

/** jq keeps the result of an update in the first element of an array, where no path leads, and fails right there. */
function modifyPaths(compiler: Compiler, ir: Extract<Ir, { kind: 'modify' }>): Paths {
  const modify = compiler.one(ir)
  return (_track, input, env) =>
    raise(`Invalid path expression near attempt to access element 0 of ${excerpt([orNull(modify(input, env)), []])}`)
}

/**
 * Which results of a node can be the very value of the input: there is one null and one of each boolean, a variable may be
 * the input, and an assignment that finds no place hands it on. Whatever else an operator makes is new even when it looks the same.
 */
function forgives(ir: Ir): (value: Value) => boolean {
  if (ir.kind === 'variable' || ir.kind === 'global') return () => true
  if (ir.kind === 'assign') return (value) => typeof value === 'object' || typeof value === 'boolean'
  return (value) => value === null || typeof value === 'boolean'
}

/** Runs an access on behalf of a path; `optional` turns its failure into no output. */
function attempt(optional: boolean, access: () => Value): Value | undefined {
  if (!optional) return access()
  try {
    return access()
  } catch (error) {
    if (error instanceof JqError) return undefined
    throw error
  }
}

function indexPaths(compiler: Compiler, ir: Extract<Ir, { kind: 'index' }>): Paths {
  const target = compiler.paths(ir.target)
  const key = compiler.many(ir.key)
  const { optional } = ir
  return (track, input, env, emit) =>
    key(input, env, (name) =>
      target(track, input, env, (at, container) => {
        const path = stepInto(at, container, name)
        const value = attempt(optional, () => index(container, name))
        return value === undefined ? false : emit(path, value)
      }),
    )
}

function slicePaths(compiler: Compiler, ir: Extract<Ir, { kind: 'slice' }>): Paths {
  const target = compiler.paths(ir.target)
  const from = compiler.many(ir.from)
  const to = compiler.many(ir.to)
  const { optional } = ir
  return (track, input, env, emit) =>
    from(input, env, (start) =>
      to(input, env, (end) =>
        target(track, input, env, (at, container) => {
          const path = stepInto(at, container, { start, end })
          const value = attempt(optional, () => slice(container, start, end))
          return value === undefined ? false : emit(path, value)
        }),
      ),
    )
}

function iteratePaths(compiler: Compiler, ir: Extract<Ir, { kind: 'iterate' }>): Paths {
  const { machine } = compiler
  const target = compiler.paths(ir.target)
  const { optional } = ir
  return (track, input, env, emit) =>
    target(track, input, env, (at, container) => {
      const up = checkIterable(at, container)
      const length = (up?.length ?? 0) + 1
      if (isArray(container)) {
        for (let key = 0; key < container.length; key++) {
          round(machine, key, container.length)
          if (emit({ up, key, length }, orNull(container[key]))) return true
        }
        return false
      }
      if (!isObject(container)) return optional ? false : cannotIterate(container)
      const keys = keysOf(container)
      for (let place = 0; place < keys.length; place++) {
        round(machine, place, keys.length)
        const key = keys[place] ?? ''
        if (emit({ up, key, length }, orNull(container[key]))) return true
      }
      return false
    })
}

function tryPaths(compiler: Compiler, ir: Extract<Ir, { kind: 'try' }>): Paths {
  const { machine } = compiler
  const body = compiler.paths(ir.body)
  const handler = ir.handler === undefined ? undefined : compiler.paths(ir.handler)
  return (track, input, env, emit) => {
    let inside = true
    const { depth } = machine
    const guarded: EmitAt = (at, value) => {
      inside = false
      const stopped = emit(at, value)
      inside = true
      return stopped
    }
    try {
      return body(track, input, env, guarded)
    } catch (error) {
      if (!inside || !(error instanceof JqError)) throw error
      machine.depth = depth
      return handler === undefined ? false : handler(lose(track, input), error.value, env, emit)
    }
  }
}

function alternativePaths(compiler: Compiler, ir: Extract<Ir, { kind: 'alternative' }>): Paths {
  const left = compiler.paths(ir.left)
  const right = compiler.paths(ir.right)
  return (track, input, env, emit) => {
    let found = false
    const stopped = left(track, input, env, (at, value) => {
      if (!truthy(value)) return false
      found = true
      return emit(at, value)
    })
    return stopped || (!found && right(track, input, env, emit))
  }
}

/** Each side leads on from where the one before ended; the result is forgiven where it is the very boolean that was found there. */
function logicPaths(compiler: Compiler, ir: Extract<Ir, { kind: 'logic' }>): Paths {
  const left = compiler.paths(ir.left)
  const right = compiler.paths(ir.right)
  const decided = ir.operator === 'or'
  return (track, input, env, emit) =>
    left(track, input, env, (at, a) =>
      truthy(a) === decided ? emit(lose(at, a), decided) : right(lose(at, a), input, env, (end, b) => emit(lose(end, b), truthy(b))),
    )
}

function labelPaths(compiler: Compiler, ir: Extract<Ir, { kind: 'label' }>): Paths {
  const body = compiler.paths(ir.body)
  return (track, input, env, emit) => {
    const slot: Break = { label: 'break' }
    const { depth } = compiler.machine
    try {
      return body(track, input, { slot, up: env }, emit)
    } catch (thrown) {
      if (thrown !== slot) throw thrown
      compiler.machine.depth = depth
      return false
    }
  }
}
