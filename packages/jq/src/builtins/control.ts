import type { Compiler, Emit, EmitAt, Env, Many, One, Paths, Track } from '#src/compile/code.ts'
import { tick } from '#src/compile/machine.ts'
import { lose, stepInto, toKeys } from '#src/compile/track.ts'
import type { Ir } from '#src/lower/ir.ts'
import { getPath, type Owned } from '#src/paths/update.ts'
import { compare } from '#src/values/compare.ts'
import { describe, raise } from '#src/values/describe.ts'
import { isArray, isNumeric, toNumber, truthy, type Value } from '#src/values/value.ts'
import { arg, type ControlNative, type NativeTable } from './native.ts'
import { walk } from './walk.ts'

const nothing: One = () => undefined

const empty: ControlNative = {
  kind: 'control',
  one: () => nothing,
  many: () => () => false,
  paths: () => () => false,
}

/** `first(f)`: stops `f` after one output. */
const first: ControlNative = {
  kind: 'control',
  one: (compiler, args) => firstOf(compiler, arg(args, 0)),
  many: (compiler, args) => {
    const one = firstOf(compiler, arg(args, 0))
    return (input, env, emit) => {
      const value = one(input, env)
      return value === undefined ? false : emit(value)
    }
  },
  paths: (compiler, args) => {
    const body = compiler.paths(arg(args, 0))
    return (track, input, env, emit) => {
      let found: { readonly track: Track; readonly value: Value } | undefined
      body(track, input, env, (at, value) => {
        found = { track: at, value }
        return true
      })
      return found === undefined ? false : emit(found.track, found.value)
    }
  },
}

function firstOf(compiler: Compiler, ir: Ir): One {
  if (ir.count === 'maybe') return compiler.one(ir)
  const body = compiler.many(ir)
  return (input, env) => {
    let found: Value | undefined
    body(input, env, (value) => {
      found = value
      return true
    })
    return found
  }
}

/** `last(f)`: its result has no path, as jq folds it out of all outputs. */
const last: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const body = compiler.many(arg(args, 0))
    return (input, env, emit) => {
      let found: Value | undefined
      body(input, env, (value) => {
        found = value
        return false
      })
      return found === undefined ? false : emit(found)
    }
  },
}

interface Count {
  readonly wanted: number
  /** Called at the first output: jq counts down by subtraction, which fails for what is no number. */
  check(): void
}

function countOf(count: Value, name: string): Count {
  if (compare(count, 0) < 0) return raise(`${name} doesn't support negative count`)
  if (isNumeric(count)) return { wanted: toNumber(count), check: () => undefined }
  return { wanted: Number.POSITIVE_INFINITY, check: () => raise(`${describe(count)} and number (1) cannot be subtracted`) }
}

/** Emits the first outputs; `stopped` is whether the consumer asked to stop. */
function limited<Args extends readonly unknown[]>(
  count: Count,
  emit: (...args: Args) => boolean,
): { readonly take: (...args: Args) => boolean; stopped: boolean } {
  let left = count.wanted
  const gate = {
    stopped: false,
    take: (...args: Args): boolean => {
      count.check()
      left--
      gate.stopped = emit(...args)
      return gate.stopped || left <= 0
    },
  }
  return gate
}

const limit: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const count = compiler.many(arg(args, 0))
    const body = compiler.many(arg(args, 1))
    return (input, env, emit) =>
      count(input, env, (wanted) => {
        const allowance = countOf(wanted, 'limit')
        if (allowance.wanted === 0) return false
        const gate = limited(allowance, emit)
        body(input, env, gate.take)
        return gate.stopped
      })
  },
  paths: (compiler, args) => {
    const count = compiler.many(arg(args, 0))
    const body = compiler.paths(arg(args, 1))
    return (track, input, env, emit) =>
      count(input, env, (wanted) => {
        const allowance = countOf(wanted, 'limit')
        if (allowance.wanted === 0) return false
        const gate = limited(allowance, emit)
        body(track, input, env, gate.take)
        return gate.stopped
      })
  },
}

const skip: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const count = compiler.many(arg(args, 0))
    const body = compiler.many(arg(args, 1))
    return (input, env, emit) =>
      count(input, env, (wanted) => {
        const { wanted: skipped, check } = countOf(wanted, 'skip')
        let left = skipped
        return body(input, env, (value) => {
          check()
          left--
          return left < 0 ? emit(value) : false
        })
      })
  },
  paths: (compiler, args) => {
    const count = compiler.many(arg(args, 0))
    const body = compiler.paths(arg(args, 1))
    return (track, input, env, emit) =>
      count(input, env, (wanted) => {
        const { wanted: skipped, check } = countOf(wanted, 'skip')
        let left = skipped
        return body(track, input, env, (at, value) => {
          check()
          left--
          return left < 0 ? emit(at, value) : false
        })
      })
  },
}

const isempty: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const one = firstOf(compiler, arg(args, 0))
    return (input, env, emit) => emit(one(input, env) === undefined)
  },
}

/** `any(source; condition)` and `all(…)`: stop at the first answer that decides. */
function quantifier(decisive: boolean): ControlNative {
  const make = (compiler: Compiler, args: readonly Ir[]): One => {
    const source = compiler.many(arg(args, 0))
    const condition = compiler.many(arg(args, 1))
    return (input, env) => {
      let decided = !decisive
      source(input, env, (value) =>
        condition(value, env, (answer) => {
          if (truthy(answer) !== decisive) return false
          decided = decisive
          return true
        }),
      )
      return decided
    }
  }
  return {
    kind: 'control',
    one: make,
    many: (compiler, args) => {
      const one = make(compiler, args)
      return (input, env, emit) => emit(one(input, env) ?? null)
    },
    paths: (compiler, args) => quantifierPaths(compiler, args, decisive),
  }
}

/** The answer leads to where it was decided, and is forgiven where it is the very boolean that was found there. */
function quantifierPaths(compiler: Compiler, args: readonly Ir[], decisive: boolean): Paths {
  const source = compiler.paths(arg(args, 0))
  const condition = compiler.paths(arg(args, 1))
  return (track, input, env, emit) => {
    let decided: Track | undefined
    const stopped = source(track, input, env, (at, value) =>
      condition(at, value, env, (end, answer) => {
        if (truthy(answer) !== decisive) return false
        decided = lose(end, answer)
        return true
      }),
    )
    return stopped ? emit(decided, decisive) : emit(lose(track, input), !decisive)
  }
}

/** Runs a stream only for what it throws or stops. */
const path: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const body = compiler.paths(arg(args, 0))
    return (input, env, emit) => body(undefined, input, env, (track, value) => emit(toKeys(track, value)))
  },
}

const getpath: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const keys = compiler.many(arg(args, 0))
    return (input, env, emit) => keys(input, env, (at) => emit(getPath(input, at)))
  },
  paths: (compiler, args) => {
    const keys = compiler.many(arg(args, 0))
    return (track, input, env, emit) =>
      keys(input, env, (at) => {
        const value = getPath(input, at)
        let reached: Track = track
        for (const key of isArray(at) ? at : []) reached = stepInto(reached, input, key)
        return emit(reached, value)
      })
  },
}

/** `until(condition; next)`: a loop, so that any number of rounds costs no stack. */
const until: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const condition = compiler.many(arg(args, 0))
    const next = arg(args, 1)
    if (arg(args, 0).count === 'maybe' && next.count === 'maybe') return untilLoop(compiler, arg(args, 0), next)
    const following = compiler.many(next)
    return (input, env, emit) => {
      const from = (value: Value): boolean => {
        tick(machine)
        return condition(value, env, (done) => (truthy(done) ? emit(value) : following(value, env, from)))
      }
      return from(input)
    }
  },
  paths: (compiler, args) => {
    const { machine } = compiler
    const condition = compiler.many(arg(args, 0))
    const following = compiler.paths(arg(args, 1))
    return (track, input, env, emit) => {
      const from = (at: Track, value: Value): boolean => {
        tick(machine)
        return condition(value, env, (done) => (truthy(done) ? emit(at, value) : following(at, value, env, from)))
      }
      return from(track, input)
    }
  },
}

function untilLoop(compiler: Compiler, condition: Ir, next: Ir): Many {
  const { machine } = compiler
  const done = compiler.one(condition)
  const following = compiler.inPlace(next)
  return (input, env, emit) => {
    const owned: Owned = new Set()
    let value: Value | undefined = input
    while (value !== undefined) {
      tick(machine)
      const answer = done(value, env)
      if (answer === undefined) return false
      if (truthy(answer)) return emit(value)
      value = following(value, env, owned)
    }
    return false
  }
}

const repeat: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const body = compiler.many(arg(args, 0))
    return (input: Value, env: Env, emit: Emit) => {
      for (;;) {
        tick(machine)
        if (body(input, env, emit)) return true
      }
    }
  },
  paths: (compiler, args) => {
    const { machine } = compiler
    const body = compiler.paths(arg(args, 0))
    return (track: Track, input: Value, env: Env, emit: EmitAt) => {
      for (;;) {
        tick(machine)
        if (body(track, input, env, emit)) return true
      }
    }
  },
}

/** Built-ins that decide how far and how often their arguments run. */
export const controlNatives: NativeTable = {
  'empty/0': empty,
  'first/1': first,
  'last/1': last,
  'limit/2': limit,
  'skip/2': skip,
  'isempty/1': isempty,
  'any/2': quantifier(true),
  'all/2': quantifier(false),
  'path/1': path,
  'getpath/1': getpath,
  'until/2': until,
  'repeat/1': repeat,
  'walk/1': walk,
}
