#!/bin/sh
# Runs a command as a container with a read-only root does: it sees the programs of this system, a few devices
# and the folders that are named, and can write to none of them.
#   unshare --mount sh container.sh USER TEMPORARY WORKDIR SOURCE:TARGET... -- COMMAND...
# USER is a number, or - in a namespace that has only one user. TEMPORARY is the only folder that the command may
# write to, and is empty at first, or - for none.
set -eu
user=$1 temporary=$2 workdir=$3
shift 3
mount --make-rprivate /
# The mount hides the folder only from this command.
root=/mnt
mount -t tmpfs -o mode=755 container "$root"

bind() {
  if [ -d "$1" ]; then mkdir -p "$root$2"; elif [ ! -e "$root$2" ]; then
    mkdir -p "$(dirname "$root$2")"
    : >"$root$2"
  fi
  mount --rbind "$1" "$root$2"
}
# Also makes the mounts below the folder read-only. A user namespace may not remove flags of a mount.
bind_read_only() {
  bind "$1" "$2"
  while read -r _ point _ flags _; do
    case $point in "$root$2" | "$root$2"/*) ;; *) continue ;; esac
    kept=$(echo "$flags" | tr , '\n' | grep -xE 'nosuid|nodev|noexec|noatime|nodiratime|relatime' | paste -sd, -)
    mount -o "remount,bind,ro${kept:+,$kept}" "$point"
  done </proc/self/mounts
}

for folder in /usr /etc; do bind_read_only $folder $folder; done
for folder in bin sbin lib lib64; do
  if [ -L /$folder ]; then cp -P /$folder "$root"; elif [ -e /$folder ]; then bind_read_only /$folder /$folder; fi
done
bind /proc /proc
for device in null zero random urandom; do bind /dev/$device /dev/$device; done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
while [ "$1" != -- ]; do
  bind_read_only "${1%:*}" "${1#*:}"
  shift
done
shift
if [ "$temporary" != - ]; then
  mkdir -p "$root$temporary"
  mount -t tmpfs -o mode=1777 temporary "$root$temporary"
fi
mount -o remount,bind,ro "$root"

set -- /usr/bin/env -C "$workdir" "$@"
if [ "$user" != - ]; then
  set -- /usr/bin/setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all "$@"
fi
exec chroot "$root" "$@"
