/** Whether the suites on a real API server are skipped in this run: told by the set-up to the processes of jest. */
export const noCluster = {
  set: () => {
    process.env['KILTER_NO_CLUSTER'] = '1';
  },
  get isSet() {
    return process.env['KILTER_NO_CLUSTER'] === '1';
  },
};

/** In CI nothing may be skipped in silence. */
export const isCi = () => !['', '0', 'false'].includes(process.env['CI'] ?? '');
