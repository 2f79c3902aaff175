# Runs a command for which api.gateway.example is Kredo: unshare --mount --net --pid --fork --kill-child bash -eu as-gateway.sh COMMAND...
# The command gets its own network and its own hosts file; nothing else on the machine changes. Needs root, which CI containers have.
ip link set lo up
echo "127.0.0.1 localhost api.gateway.example" >hosts
mount --bind hosts /etc/hosts
rm -f serve.log
npx kredo serve --port 8254 --https-port 443 --https-names api.gateway.example --ca-folder certificates >serve.log &
until grep -qs Ready. serve.log; do sleep 0.1; done
"$@"
