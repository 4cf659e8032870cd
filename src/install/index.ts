export type { OperatorInstallProps } from './install-props.js';
export { OperatorInstall } from './operator-install.js';
