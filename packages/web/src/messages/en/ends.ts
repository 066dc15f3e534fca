/** Starts by the ends of runs. */
export const ends = {
  ends: {
    start: 'When a run fails',
    about: 'The workflow gets the error and the link of the run. If it fails itself, that starts nothing.',
    when: 'Start it when a run',
    whens: {
      failed: 'fails',
      failedOrCancelled: 'fails or is cancelled',
      completed: 'completes',
      any: 'ends, however it ends',
    },
    shown: {
      failed: 'When a run fails',
      failedOrCancelled: 'When a run fails or is cancelled',
      completed: 'When a run completes',
      any: 'When a run ends',
    },
    of: 'Runs of',
    all: 'all workflows',
    chosen: 'chosen workflows',
    workflows: 'Workflows',
    ofWorkflows: (count: number) => (count === 1 ? 'of one workflow' : `of ${count} workflows`),
    remove: 'Remove',
    mappingHint: 'Left empty, it gets the whole event, with .data.error, .data.execution and .data.workflow.',
  },
}
