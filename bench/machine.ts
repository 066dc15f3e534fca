import { cpus, loadavg } from 'node:os'

/** The machine and its load in one line. It belongs to every result, since the cores are shared. */
export function describeMachine(): string {
  return `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? ''}, Node ${process.version}, ${describeLoad()}`
}

export function describeLoad(): string {
  return `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`
}
