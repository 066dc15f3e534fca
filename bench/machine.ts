import { cpus, loadavg } from 'node:os'

/** The machine and what else it does, in one line. Part of every figure, since cores are shared. */
export function describeMachine(): string {
  return `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? ''}, Node ${process.version}, ${describeLoad()}`
}

export function describeLoad(): string {
  return `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`
}
