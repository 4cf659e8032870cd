export type { OperatorInstallProps, SecretKey } from './install-props.js';
export { OperatorInstall } from './operator-install.js';
