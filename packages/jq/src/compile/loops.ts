import type { Ir } from '#src/lower/ir.ts'
import type { Value } from '#src/values/value.ts'
import { compilePatterns } from './bind.ts'
import { asLoop, elementsOf } from './collect.ts'
import type { Compiler, EmitAt, Env, Many, One, Paths, Track } from './code.ts'
import { tick, work } from './machine.ts'
import { orNull } from '#src/values/value.ts'

type ReduceIr = Extract<Ir, { kind: 'reduce' }>
type ForeachIr = Extract<Ir, { kind: 'foreach' }>

/** The last output of a node; null when there is none, which is what a fold goes on with. */
function lastOutput(compiler: Compiler, ir: Ir): (input: Value, env: Env) => Value {
  if (ir.count === 'maybe') {
    const one = compiler.one(ir)
    return (input, env) => one(input, env) ?? null
  }
  const many = compiler.many(ir)
  return (input, env) => {
    let last: Value = null
    many(input, env, (value) => {
      last = value
      return false
    })
    return last
  }
}

/** Folds the source into one state, which `fold` runs from a given start. */
function compileFold(compiler: Compiler, ir: ReduceIr): (start: Value, input: Value, env: Env) => Value {
  const { machine } = compiler
  const update = lastOutput(compiler, ir.update)
  const [pattern] = ir.patterns
  const loop = ir.patterns.length === 1 && pattern?.kind === 'variable' ? asLoop(compiler, ir.source) : undefined
  if (loop !== undefined) {
    const { source, stage } = loop
    return (start, input, env) => {
      const container = source(input, env)
      if (container === undefined) return start
      let state = start
      const elements = elementsOf(container)
      work(machine, elements.length)
      for (let at = 0; at < elements.length; at++) {
        const element = orNull(elements[at])
        const slot = stage === undefined ? element : stage(element, env)
        if (slot !== undefined) state = update(state, { slot, up: env })
      }
      return state
    }
  }
  const source = compiler.many(ir.source)
  const destructure = compilePatterns(compiler, ir)
  return (start, input, env) => {
    let state = start
    source(input, env, (value) => {
      tick(machine)
      return destructure(value, env, (inside) => {
        state = update(state, inside)
        return false
      })
    })
    return state
  }
}

export function reduceOne(compiler: Compiler, ir: ReduceIr): One {
  const initial = compiler.one(ir.initial)
  const fold = compileFold(compiler, ir)
  return (input, env) => {
    const start = initial(input, env)
    return start === undefined ? undefined : fold(start, input, env)
  }
}

export function reduceMany(compiler: Compiler, ir: ReduceIr): Many {
  const initial = compiler.many(ir.initial)
  const fold = compileFold(compiler, ir)
  return (input, env, emit) => initial(input, env, (start) => emit(fold(start, input, env)))
}

export function foreachMany(compiler: Compiler, ir: ForeachIr): Many {
  const { machine } = compiler
  const source = compiler.many(ir.source)
  const initial = compiler.many(ir.initial)
  const update = compiler.many(ir.update)
  const extract = ir.extract === undefined ? undefined : compiler.many(ir.extract)
  const destructure = compilePatterns(compiler, ir)
  return (input, env, emit) =>
    initial(input, env, (start) => {
      let state: Value = start
      return source(input, env, (value) => {
        tick(machine)
        return destructure(value, env, (inside) => {
          const before = state
          state = null
          return update(before, inside, (after) => {
            state = after
            return extract === undefined ? emit(after) : extract(after, inside, emit)
          })
        })
      })
    })
}

interface Tracked {
  readonly track: Track
  readonly value: Value
}

export function reducePaths(compiler: Compiler, ir: ReduceIr): Paths {
  const source = compiler.many(ir.source)
  const initial = compiler.paths(ir.initial)
  const update = compiler.paths(ir.update)
  const destructure = compilePatterns(compiler, ir)
  return (track, input, env, emit) =>
    initial(track, input, env, (startTrack, start) => {
      let state: Tracked = { track: startTrack, value: start }
      source(input, env, (value) =>
        destructure(value, env, (inside) => {
          const before = state
          state = { track: startTrack, value: null }
          update(before.track, before.value, inside, (afterTrack, after) => {
            state = { track: afterTrack, value: after }
            return false
          })
          return false
        }),
      )
      return emit(state.track, state.value)
    })
}

export function foreachPaths(compiler: Compiler, ir: ForeachIr): Paths {
  const source = compiler.many(ir.source)
  const initial = compiler.paths(ir.initial)
  const update = compiler.paths(ir.update)
  const extract = ir.extract === undefined ? undefined : compiler.paths(ir.extract)
  const destructure = compilePatterns(compiler, ir)
  return (track, input, env, emit) =>
    initial(track, input, env, (startTrack, start) => {
      let state: Tracked = { track: startTrack, value: start }
      const step = (inside: Env): boolean => {
        const before = state
        const keep: EmitAt = (afterTrack, after) => {
          state = { track: afterTrack, value: after }
          return extract === undefined ? emit(afterTrack, after) : extract(afterTrack, after, inside, emit)
        }
        return update(before.track, before.value, inside, keep)
      }
      return source(input, env, (value) => destructure(value, env, step))
    })
}
