/** Networks among the entries of NO_PROXY, such as 10.0.0.0/8: systems set them for all programs. */
import { BlockList, isIP } from 'node:net';

const entriesOf = (list: string) => list.split(/[,\s]+/).filter((entry) => entry.includes('/'));

/** Whether each entry with a slash is the address of a network. */
export function areNetworks(list: string): boolean {
  return entriesOf(list).every((entry) => {
    const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
    const family = isIP(address);
    return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
  });
}

/** Whether the host of an address is an IP address in one of the networks. `list`: one that `areNetworks` accepts. */
export function isInNetworks({ hostname }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return false;
  const typeOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const networks = new BlockList();
  for (const entry of entriesOf(list)) {
    const [address = '', bits] = entry.split('/');
    networks.addSubnet(address, Number(bits), typeOf(address));
  }
  return networks.check(host, typeOf(host));
}
