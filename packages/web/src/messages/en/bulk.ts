const runs = (count: number) => (count === 1 ? '1 run' : `${count} runs`)

/** Several runs at once. */
export const bulk = {
  bulk: {
    select: (id: string) => `Select ${id}`,
    choose: 'Select',
    selected: (count: number) => `${count} selected`,
    all: 'All that match',
    clear: 'Clear the selection',
    retry: 'Retry',
    cancel: 'Cancel',
    retryMany: 'Retry…',
    cancelMany: 'Cancel…',
    titles: { retry: 'Retry several runs', cancel: 'Cancel several runs' },
    counting: (count: number) => `Counting: ${runs(count)} so far`,
    will: {
      retry: (count: number, of: number) => `${runs(count)} of ${of} can be retried: they faulted or were cancelled.`,
      cancel: (count: number, of: number) => `${runs(count)} of ${of} can be cancelled: they have not ended.`,
    },
    more: (count: number) => `The first ${count} that match are taken; repeat it for the others.`,
    byWorkflow: 'By workflow',
    version: 'Version',
    versionHint: 'Completed steps are taken over in both.',
    original: 'that of each run',
    latest: 'the latest',
    cannotUndo: 'A cancelled run ends. It can be retried later.',
    act: { retry: (count: number) => `Retry ${runs(count)}`, cancel: (count: number) => `Cancel ${runs(count)}` },
    progress: (done: number, of: number) => `${done} of ${of}`,
    stop: 'Stop',
    done: { retry: (count: number) => `${runs(count)} retried`, cancel: (count: number) => `${runs(count)} cancelled` },
    refused: (count: number) => `${runs(count)} refused:`,
    live: 'live',
  },
}
