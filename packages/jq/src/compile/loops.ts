import type { Ir } from '#src/lower/ir.ts'
import type { Owned } from '#src/paths/update.ts'
import { orNull, type Value } from '#src/values/value.ts'
import { compilePatterns } from './bind.ts'
import { asLoop, elementsOf } from './collect.ts'
import type { Compiler, Emit, EmitAt, Env, Many, One, Paths, Track } from './code.ts'
import { beginLot, lotOfRounds, tick } from './machine.ts'
import { releaseOwned } from './release-owned.ts'

type ReduceIr = Extract<Ir, { kind: 'reduce' }>
type ForeachIr = Extract<Ir, { kind: 'foreach' }>
type LoopIr = ReduceIr | ForeachIr

/** Computes the next state of a fold from the current one; null when the update has no output, which is then the next state. */
type Advance = (state: Value, env: Env, owned: Owned) => Value

function compileAdvance(compiler: Compiler, ir: LoopIr): Advance {
  const { update } = ir
  if (takesState(ir)) {
    const inPlace = compiler.inPlace(update)
    return (state, env, owned) => inPlace(state, env, owned) ?? null
  }
  const many = compiler.many(update)
  return (state, env) => {
    let last: Value = null
    many(state, env, (value) => {
      last = value
      return false
    })
    return last
  }
}

/** Whether the update of a fold may use its state up: with several outputs the state has to stay for the next one. */
export function takesState({ update }: LoopIr): boolean {
  return update.count === 'maybe'
}

/** Folds the source into one state, from a given start, of which the fold may change in place what is owned. */
export type Fold = (start: Value, input: Value, env: Env, owned: Owned) => Value

export function compileFold(compiler: Compiler, ir: ReduceIr): Fold {
  const { machine } = compiler
  const advance = compileAdvance(compiler, ir)
  const [pattern] = ir.patterns
  const loop = ir.patterns.length === 1 && pattern?.kind === 'variable' ? asLoop(compiler, ir.source) : undefined
  if (loop !== undefined) {
    const { source, stage } = loop
    return (start, input, env, owned) => {
      const container = source(input, env)
      if (container === undefined) return start
      let state = start
      const elements = elementsOf(container)
      for (let from = 0; from < elements.length; from += lotOfRounds) {
        const end = beginLot(machine, from, elements.length)
        for (let at = from; at < end; at++) {
          const element = orNull(elements[at])
          const slot = stage === undefined ? element : stage(element, env)
          if (slot !== undefined) state = advance(state, { slot, up: env }, owned)
        }
      }
      return state
    }
  }
  const source = compiler.many(ir.source)
  const destructure = compilePatterns(compiler, ir)
  return (start, input, env, owned) => {
    let state = start
    source(input, env, (value) => {
      tick(machine)
      return destructure(value, env, (inside) => {
        // A step that fails has used the state up; the next pattern of `?//` continues with null, as in jq.
        const before = state
        state = null
        state = advance(before, inside, owned)
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
    return start === undefined ? undefined : fold(start, input, env, new Set())
  }
}

export function reduceMany(compiler: Compiler, ir: ReduceIr): Many {
  const initial = compiler.many(ir.initial)
  const fold = compileFold(compiler, ir)
  return (input, env, emit) => initial(input, env, (start) => emit(fold(start, input, env, new Set())))
}

export function foreachMany(compiler: Compiler, ir: ForeachIr): Many {
  const { machine } = compiler
  const source = compiler.many(ir.source)
  const initial = compiler.many(ir.initial)
  const step = takesState(ir) ? inPlaceStep(compiler, ir) : copyingStep(compiler, ir)
  const destructure = compilePatterns(compiler, ir)
  return (input, env, emit) =>
    initial(input, env, (start) => {
      const watched: Watched = { state: start, owned: new Set() }
      return source(input, env, (value) => {
        tick(machine)
        return destructure(value, env, (inside) => step(watched, inside, emit))
      })
    })
}

/** The state of a `foreach` between two steps. */
interface Watched {
  state: Value
  readonly owned: Owned
}

type Step = (watched: Watched, inside: Env, emit: Emit) => boolean

function copyingStep(compiler: Compiler, ir: ForeachIr): Step {
  const update = compiler.many(ir.update)
  const extract = ir.extract === undefined ? undefined : compiler.many(ir.extract)
  return (watched, inside, emit) => {
    const before = watched.state
    watched.state = null
    return update(before, inside, (after) => {
      watched.state = after
      return extract === undefined ? emit(after) : extract(after, inside, emit)
    })
  }
}

/** An emitted value is not owned by the fold any more. */
function inPlaceStep(compiler: Compiler, ir: ForeachIr): Step {
  const update = compiler.inPlace(ir.update)
  const extract = ir.extract === undefined ? undefined : compiler.many(ir.extract)
  return (watched, inside, emit) => {
    const { owned } = watched
    const before = watched.state
    watched.state = null
    const after = update(before, inside, owned)
    if (after === undefined) return false
    watched.state = after
    const handOut: Emit = (value) => {
      releaseOwned(owned, value)
      return emit(value)
    }
    return extract === undefined ? handOut(after) : extract(after, inside, handOut)
  }
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
